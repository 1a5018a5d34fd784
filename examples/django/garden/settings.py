import os

SECRET_KEY = os.environ['SECRET_KEY']
ROOT_URLCONF = 'garden.urls'
ALLOWED_HOSTS = ['*']
DATABASES = {}
