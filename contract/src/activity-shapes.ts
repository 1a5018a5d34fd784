import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';

export const activityEntry = z.object({
  id,
  action: z.string(),
  actor_email: z.string().meta({ description: "a person's email, or the name of an API key" }),
  deployment_id: id.nullable().meta({
    description: 'the deployment that it began, cancelled or went back to; null for all else, and in entries of old',
  }),
  created_at: timestamp,
});

/** At the level of an organisation an entry says besides what it was about. */
export const organisationActivityEntry = activityEntry.extend({
  application_id: id.nullable(),
  environment_id: id.nullable(),
  database_id: id.nullable(),
  subject: z.string().nullable().meta({ description: 'what it was done to: a name or an email, never a value' }),
});
