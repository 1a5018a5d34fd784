import os

SECRET_KEY = os.environ.get('SECRET_KEY', 'set the variable SECRET_KEY before anything depends on it')
ROOT_URLCONF = 'garden.urls'
ALLOWED_HOSTS = ['*']
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '/tmp/garden.sqlite3'}}
