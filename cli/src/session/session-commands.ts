import type { OwnCommand } from '../frame/own-command.ts';
import { loginCommand } from './login-command.ts';
import { logoutCommand } from './logout-command.ts';
import { organisationCommands } from './organisation-commands.ts';
import { whoamiCommand } from './whoami-command.ts';

export const sessionCommands: readonly OwnCommand[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  ...organisationCommands,
];
