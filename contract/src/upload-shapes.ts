import { z } from 'zod';
import { id, timestamp } from './common-shapes.ts';
import { deploymentTypes, uploadStatuses } from './states.ts';

export const upload = z.object({
  uploadId: id,
  signedUrl: z.string().meta({ description: 'takes one PUT with the announced Content-Type; valid 15 minutes' }),
  storagePath: z.string(),
  expiresAt: timestamp,
  maxSize: z.int().meta({ description: 'bytes' }),
});

export const detectedProject = z.object({
  framework: z.string().nullable(),
  runtime: z.string().nullable(),
  deploymentType: z.enum(deploymentTypes),
  buildCommand: z.string().nullable(),
  outputDirectory: z.string().nullable(),
  installCommand: z.string().nullable(),
  startCommand: z.string().nullable(),
  packageManager: z.string().nullable(),
});

export const completedUpload = z.object({
  uploadId: id,
  status: z.enum(uploadStatuses),
  size: z.int(),
  detected: detectedProject.nullable().meta({
    description: 'how it would be built, as it is and with what was said of it; null where nothing is recognised',
  }),
});
