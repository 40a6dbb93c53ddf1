package remote

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/cli/message"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// explain returns lines that say why a call for a model of a service failed, and what to do about
// it.
func explain(err error, model string, service models.Backends) []string {
	if file, ok := errors.AsType[*fileError](err); ok {
		var lines []string
		for _, line := range explain(file.err, model, service) {
			lines = append(lines, file.path+": "+line)
		}
		return lines
	}
	if refused, ok := errors.AsType[*normalize.BlockedError](err); ok {
		return []string{refusal(refused)}
	}
	if answered, ok := errors.AsType[*gemini.Error](err); ok {
		return []string{strings.TrimSuffix(answered.Summary(), ".") + advice(answered, model, service)}
	}
	// locations in a stream do not help people
	if failed, ok := errors.AsType[*gemini.CallError](err); ok {
		text := errortext.WithoutPackage(failed.Error())
		if host := transporterror.Host(failed); host != "" {
			text = host + ": " + text
		}
		return []string{text}
	}
	var lines []string
	for _, found := range message.Findings(err) {
		lines = append(lines, found.String())
	}
	return lines
}

// refusal says that a prompt was refused. A retry does not help.
func refusal(e *normalize.BlockedError) string {
	text := "the prompt was refused"
	if e.Reason != "" {
		text += ": " + string(e.Reason)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// advice says what to do about an error of the server.
func advice(e *gemini.Error, model string, service models.Backends) string {
	if e.RefusesCredential() {
		return "; check the key in GEMINI_API_KEY or --api-key-file, and its permissions"
	}
	switch gemini.CategoryOf(e) {
	case gemini.CategoryAuth:
		return resourceAdvice(e)
	case gemini.CategoryRateLimit:
		return quotaAdvice(e)
	case gemini.CategoryNotFound:
		return modelAdvice(model, service, clock.Now())
	case gemini.CategoryServer:
		return laterAdvice(e)
	default:
		return ""
	}
}

// quotaAdvice says how long to wait.
func quotaAdvice(e *gemini.Error) string {
	switch {
	case e.IsDailyQuota():
		return "; the daily quota is used up"
	case e.RetryAfter > 0:
		return "; try again in " + waitText(e.RetryAfter)
	default:
		return laterAdvice(e)
	}
}

// waitText formats a wait. From two days on it uses days.
func waitText(wait time.Duration) string {
	const day = 24 * time.Hour
	if wait < 2*day {
		return wait.Round(time.Second).String()
	}
	return fmt.Sprintf("%d days", (wait+day-1)/day)
}

// resourceAdvice says what to check if the API refuses something that the request names. The API
// sends the same error if it does not exist: "You do not have permission to access the File X or it
// may not exist."
func resourceAdvice(e *gemini.Error) string {
	if strings.Contains(e.Message, "access the File ") {
		return "; check the file's name; 'gemwire files list' lists the files of the key"
	}
	return "; check that the resources in the request exist and belong to the key's project"
}

// laterAdvice says to try again later, unless the server's message says so.
func laterAdvice(e *gemini.Error) string {
	if strings.Contains(strings.ToLower(e.Message), "try again") {
		return ""
	}
	return "; try again later"
}

// modelAdvice says when a model was shut down and which model replaces it, which API a model uses
// that generates no content, or which model a mistyped name may mean. It names only models that the
// service offers today.
func modelAdvice(model string, service models.Backends, now time.Time) string {
	if model == "" {
		return ""
	}
	known := models.At(model, service, now)
	if modelname.IsOffered(&known, now) && !known.Calls.Has(models.CallGenerate) {
		return callAdvice(&known)
	}
	hint := modelname.Advice(model, service, now, modelname.Suggested(service, now))
	return cmp.Or(hint, "; 'gemwire models --remote' lists models")
}

// callAdvice says which API to use for a model that generates no content.
func callAdvice(known *models.Model) string {
	var api string
	switch has := known.Calls.Has; {
	case has(models.CallEmbed):
		api = "embedContent"
	case has(models.CallLive):
		api = "the Live API"
	case has(models.CallInteractions):
		api = "the Interactions API"
	case has(models.CallPredict):
		api = "predict"
	default:
		api = "generateAnswer"
	}
	return "; " + known.Name + " needs " + api
}
