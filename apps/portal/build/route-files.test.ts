import assert from 'node:assert/strict';
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';
import { test } from 'vitest';
import { collectScripts, listFirstSources, listScreens } from './route-files.ts';

const routes = rootRoute('root.tsx', [
  route('/login', 'login.page.tsx'),
  layout('frame', 'frame.layout.tsx', [
    index('home.page.tsx'),
    route('/users', 'users.page.tsx', [route('/$userId', 'panel.page.tsx')]),
    route('/settings/{$group}_rules', 'group.page.tsx'),
    route('$', 'fallback.page.tsx'),
  ]),
]);

test('every screen is listed with its layouts and the pages around it, except the fallback', () => {
  assert.deepEqual(listScreens(routes), [
    { path: '^/login$', sources: ['login.page.tsx'] },
    { path: '^/$', sources: ['frame.layout.tsx', 'home.page.tsx'] },
    { path: '^/users/[^/]+$', sources: ['frame.layout.tsx', 'users.page.tsx', 'panel.page.tsx'] },
    { path: '^/users$', sources: ['frame.layout.tsx', 'users.page.tsx'] },
    { path: '^/settings/[^/]+_rules$', sources: ['frame.layout.tsx', 'group.page.tsx'] },
  ]);
});

test('a screen loads the imports of its files once, and nothing that the page already has', () => {
  const imports = new Map([
    ['entry.js', ['ground.js']],
    ['ground.js', []],
    ['users.js', ['entry.js', 'list.js']],
    ['list.js', ['ground.js']],
    ['frame.js', ['list.js']],
  ]);
  assert.deepEqual(collectScripts(['frame.js', 'users.js'], imports, ['entry.js', 'ground.js']), [
    'frame.js',
    'list.js',
    'users.js',
  ]);
});

test('the sign-in form needs nothing but the first script, and every other screen the router', () => {
  const [login, home] = listScreens(routes);
  assert.ok(login && home);
  assert.deepEqual(listFirstSources(login), []);
  assert.deepEqual(listFirstSources(home), ['app/portal.tsx', 'frame.layout.tsx', 'home.page.tsx']);
});
