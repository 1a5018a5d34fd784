import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Controller()
class Hello {
  @Get()
  greet() {
    return 'Hello from Nest';
  }
}

@Module({ controllers: [Hello] })
class App {}

NestFactory.create(App).then((app) => app.listen(process.env.PORT ?? 3000, '0.0.0.0'));
