import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'Hello from Python alone')


HTTPServer(('0.0.0.0', int(os.environ.get('PORT', '8000'))), Hello).serve_forever()
