import Application from '@ember/application';

export default class App extends Application {
  modulePrefix = 'ember-garden';
}
