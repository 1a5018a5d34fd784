import { describe, expect, it } from 'vitest';
import type { Plan } from '../plan.ts';
import { toolsCalledBy, toolsToBuild, toolsToRun } from './needed-tools.ts';

const plan = (change: Partial<Plan>) =>
  ({ language: 'other', installCommand: null, buildCommand: null, startCommand: './x', ...change }) as Plan;

describe('the tools of a command', () => {
  it('are those of the programs it calls, not of words that look like them', () => {
    expect(toolsCalledBy('cd web && NODE_ENV=x exec python3 manage.py migrate; bundle exec rails s')).toEqual([
      'python',
      'bundler',
    ]);
    expect(toolsCalledBy('./serve --with go php && echo java')).toEqual([]);
    expect(toolsCalledBy('./gradlew build || (mvn -B package)')).toEqual(['java', 'maven']);
    expect(toolsCalledBy(null)).toEqual([]);
  });
});

describe('the tools of a build', () => {
  it('are required where a command calls them, with what they run on', () => {
    expect(toolsToBuild(plan({ language: 'ruby', installCommand: 'bundle install' })).required).toEqual([
      'ruby',
      'bundler',
    ]);
    expect(toolsToBuild(plan({ language: 'java', buildCommand: 'mvn -B package' })).required).toEqual([
      'java',
      'maven',
    ]);
    expect(toolsToBuild(plan({ language: 'python', installCommand: 'poetry install' })).required).toEqual([
      'python',
      'poetry',
    ]);
  });

  it('are only welcome where a command of the project’s own may call them', () => {
    expect(toolsToBuild(plan({ language: 'go', buildCommand: 'make' }))).toEqual({ required: [], welcome: ['go'] });
  });

  it('are none of a language whose program is there already', () => {
    expect(toolsToBuild(plan({ language: 'go' }))).toEqual({ required: [], welcome: [] });
  });
});

describe('the tools of an instance', () => {
  it('are what its language runs on, and what its command calls', () => {
    expect(toolsToRun('go', './out')).toEqual([]);
    expect(toolsToRun('node', 'next start')).toEqual(['node']);
    expect(toolsToRun('node', 'npm run start')).toEqual(['node', 'npm']);
    expect(toolsToRun('python', 'gunicorn app:app')).toEqual(['python']);
    expect(toolsToRun('other', 'python3 x.py')).toEqual(['python']);
    expect(toolsToRun('bun', 'bun x.ts')).toEqual(['bun']);
  });
});
