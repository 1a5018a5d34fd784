import { describe, expect, it } from 'vitest';
import { takes } from '../../objects/s3/look-at-bucket.ts';
import { judgeObjects } from './object-checks.ts';

const config = { home: '/home/lilac', publicUrl: new URL('https://lilac.example.org') };
const bucket = 'the bucket files at https://s3.example.org';

describe('where uploads and artifacts are', () => {
  it('is told', () => {
    expect(judgeObjects(config, { bucket: null, trouble: null, takesBrowsers: true })).toMatchObject({
      status: 'ok',
      found: 'in /home/lilac/objects',
    });
    expect(judgeObjects(config, { bucket, trouble: null, takesBrowsers: true })).toMatchObject({
      status: 'ok',
      found: `in ${bucket}`,
    });
  });

  it('fails in the words of what is wrong', () => {
    const trouble = 'There is no bucket files.';
    expect(judgeObjects(config, { bucket, trouble, takesBrowsers: null })).toMatchObject({
      status: 'fail',
      found: trouble,
    });
  });

  it('warns when no browser could send an archive, and says which rule is needed', () => {
    const { status, advice } = judgeObjects(config, { bucket, trouble: null, takesBrowsers: false });
    expect([status, advice]).toEqual([
      'warn',
      expect.stringContaining('PUT with the header Content-Type from https://lilac.example.org'),
    ]);
    expect(judgeObjects(config, { bucket, trouble: null, takesBrowsers: null }).found).toContain('CORS');
  });
});

describe('a CORS rule', () => {
  const rule = {
    AllowedMethods: ['GET', 'PUT'],
    AllowedOrigins: ['https://*.example.org'],
    AllowedHeaders: ['Content-*'],
  };

  it('takes archives when it has the method, the origin and the header', () => {
    expect(takes(rule, 'https://lilac.example.org')).toBe(true);
    expect(takes({ ...rule, AllowedOrigins: ['*'] }, 'https://any.test')).toBe(true);
    expect(takes(rule, 'http://lilac.example.org')).toBe(false);
    expect(takes({ ...rule, AllowedMethods: ['GET'] }, 'https://lilac.example.org')).toBe(false);
    expect(takes({ ...rule, AllowedHeaders: ['x-other'] }, 'https://lilac.example.org')).toBe(false);
  });
});
