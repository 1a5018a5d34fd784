module example.test/gin

go 1.25

require github.com/gin-gonic/gin v1.11.0
