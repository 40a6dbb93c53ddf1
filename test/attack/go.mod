module github.com/gemwire/gemwire/test/attack

go 1.26.0
