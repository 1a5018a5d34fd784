import { describe, expect, it } from 'vitest';
import { isAnyMoving, listRequest, pageOfFolder, type ListedApplication } from './list-request.ts';

const given = { search: '', sort: '', page: '' };

describe('what the address asks of the list', () => {
  it('is the newest first where it says nothing', () => {
    expect(listRequest(given)).toEqual({
      filter: '',
      sortColumn: 'created_at',
      sortOrder: 'desc',
      page: 1,
      limit: 20,
    });
  });

  it('is what it says', () => {
    const request = listRequest({ search: ' shop ', sort: 'name', page: '3' });
    expect(request).toMatchObject({ filter: 'shop', sortColumn: 'name', sortOrder: 'asc', page: 3 });
  });

  it.each(['0', '-1', '1.5', 'x', '9999999', '1e3'])('is the first page where it says %s', (page) => {
    expect(listRequest({ ...given, page }).page).toBe(1);
  });

  it('is the first order where it names one that is not there', () => {
    expect(listRequest({ ...given, sort: 'size' }).sortColumn).toBe('created_at');
  });

  it('never asks with a longer text than the platform takes', () => {
    expect(listRequest({ ...given, search: 'x'.repeat(300) }).filter).toHaveLength(200);
  });
});

describe('a folder', () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ id: `app_${index}`, project_id: index % 2 ? 'f' : null }));
  const all = items as ListedApplication[];

  it('is shown in pages of its own', () => {
    const second = pageOfFolder(all, 'f', 2);
    expect(second).toMatchObject({ totalItems: 25, totalPages: 2, currentPage: 2 });
    expect(second.items.map(({ id }) => id)).toEqual(['app_41', 'app_43', 'app_45', 'app_47', 'app_49']);
  });

  it('has a last page where the address asks for more', () => {
    expect(pageOfFolder(all, 'f', 9).currentPage).toBe(2);
    expect(pageOfFolder(all, 'empty', 9)).toEqual({ items: [], totalItems: 0, totalPages: 0, currentPage: 1 });
  });
});

describe('whether something moves', () => {
  const settled = { status: 'healthy', last_deployment: null } as const;
  const last = {
    id: 'dep_1',
    commit_sha: null,
    commit_message: null,
    upload_name: null,
    started_at: '2026-01-01T00:00:00Z',
  };

  it('is so while an application changes, or its newest deployment is under way', () => {
    expect(isAnyMoving([settled, { status: 'deleting', last_deployment: null }])).toBe(true);
    expect(isAnyMoving([{ status: 'healthy', last_deployment: { ...last, status: 'building' } }])).toBe(true);
  });

  it('is not so when all have come to an end', () => {
    expect(isAnyMoving([settled, { status: 'failed', last_deployment: { ...last, status: 'failed' } }])).toBe(false);
    expect(isAnyMoving([])).toBe(false);
  });
});
