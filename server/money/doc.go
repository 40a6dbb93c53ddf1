// Package money has exact amounts of money.
package money
