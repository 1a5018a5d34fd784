import { unique } from '../../../testing/factories.ts';
import type { Deeds } from './deed.ts';
import type { Things } from './things.ts';

/** What people change about an organisation, its members, keys and folders. */
export function organisationDeeds({ call, newMember, newInvitation, newFolder }: Things): Deeds {
  return {
    'api-keys.create': {
      act: async () => {
        await call('api-keys.create', { name: 'CI' });
        return { action: 'api_key_created', subject: 'CI' };
      },
    },
    'api-keys.revoke': {
      prepare: () => call('api-keys.create', { name: 'Old' }) as Promise<object>,
      act: async ({ id }) => {
        await call('api-keys.revoke', { keyId: id });
        return { action: 'api_key_revoked', subject: 'Old' };
      },
    },
    'organisations.update': {
      act: async () => {
        const name = unique('Renamed');
        await call('organisations.update', { name });
        return { action: 'organisation_renamed', subject: name };
      },
    },
    'organisations.plan': {
      prepare: () => call('organisations.update', { name: 'Acme' }) as Promise<object>,
      act: async () => {
        await call('organisations.plan', { plan: 'enterprise' });
        return { action: 'plan_updated', subject: 'Acme' };
      },
    },
    'organisations.members.update': {
      prepare: newMember,
      act: async ({ userId, email }) => {
        await call('organisations.members.update', { userId, role: 'admin' });
        return { action: 'member_role_updated', subject: email };
      },
    },
    'organisations.members.remove': {
      prepare: newMember,
      act: async ({ userId, email }) => {
        await call('organisations.members.remove', { userId });
        return { action: 'member_removed', subject: email };
      },
    },
    'organisations.invite': {
      act: async () => {
        await call('organisations.invite', { email: 'new@example.org' });
        return { action: 'member_invited', subject: 'new@example.org' };
      },
    },
    'organisations.invitations.revoke': {
      prepare: newInvitation,
      act: async ({ invitationId, email }) => {
        await call('organisations.invitations.revoke', { invitationId });
        return { action: 'invitation_revoked', subject: email };
      },
    },
    'projects.create': {
      act: async () => ({ action: 'folder_created', subject: (await newFolder()).name }),
    },
    'projects.rename': {
      prepare: newFolder,
      act: async ({ projectId }) => {
        const name = unique('Other');
        await call('projects.rename', { projectId, name });
        return { action: 'folder_renamed', subject: name };
      },
    },
    'projects.delete': {
      prepare: newFolder,
      act: async ({ projectId, name }) => {
        await call('projects.delete', { projectId });
        return { action: 'folder_deleted', subject: name };
      },
    },
  };
}
