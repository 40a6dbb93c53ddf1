package intermediary

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// ReverseProxy passes on everything as it is, by the standard library's proxy as everybody sets it
// up. It keeps as many connections to the upstream as the gateway does; by default it would open
// one for nearly each request.
func ReverseProxy(upstream string) http.Handler {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 1024
	target := &url.URL{Scheme: "http", Host: upstream}
	return &httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorLog:  log.New(io.Discard, "", 0), // what fails is in the table
	}
}
