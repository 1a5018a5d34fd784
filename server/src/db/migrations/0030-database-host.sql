-- Where instances of applications reach what is led, whichever host they are on: written by who leads it.
alter table leaderships add column address text;
