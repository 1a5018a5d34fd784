require 'sinatra'

get('/') { 'Hello from Sinatra' }
