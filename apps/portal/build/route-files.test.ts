import assert from 'node:assert/strict';
import { test } from 'node:test';
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';
import { collectFiles, listFirstSources, listScreens } from './route-files.ts';

const routes = rootRoute('root.tsx', [
  route('/login', 'login.page.tsx'),
  layout('frame', 'frame.layout.tsx', [
    index('home.page.tsx'),
    route('/users', 'users.page.tsx', [route('/$userId', 'panel.page.tsx')]),
    route('/settings/{$group}_rules', 'group.page.tsx'),
    route('$', 'fallback.page.tsx'),
  ]),
]);

test('every screen is listed with its layouts and the pages it lies in, except the fallback', () => {
  assert.deepEqual(listScreens(routes), [
    { path: '^/login$', sources: ['login.page.tsx'] },
    { path: '^/$', sources: ['frame.layout.tsx', 'home.page.tsx'] },
    { path: '^/users/[^/]+$', sources: ['frame.layout.tsx', 'users.page.tsx', 'panel.page.tsx'] },
    { path: '^/users$', sources: ['frame.layout.tsx', 'users.page.tsx'] },
    { path: '^/settings/[^/]+_rules$', sources: ['frame.layout.tsx', 'group.page.tsx'] },
  ]);
});

test('a screen needs what its files import, once, and nothing that the page has anyway', () => {
  const built = new Map([
    ['entry.js', { imports: ['ground.js'], styles: ['entry.css'] }],
    ['ground.js', { imports: [], styles: ['entry.css'] }],
    ['users.js', { imports: ['entry.js', 'list.js'], styles: ['users.css'] }],
    ['list.js', { imports: ['ground.js'], styles: ['list.css', 'entry.css'] }],
    ['frame.js', { imports: ['list.js'], styles: [] }],
  ]);
  assert.deepEqual(collectFiles(['frame.js', 'users.js'], built, ['entry.js', 'ground.js']), {
    scripts: ['frame.js', 'list.js', 'users.js'],
    styles: ['list.css', 'users.css'],
  });
});

test('the sign-in form comes before the router, which every other screen needs', () => {
  const [login, home] = listScreens(routes);
  assert.ok(login && home);
  assert.deepEqual(listFirstSources(login), ['features/session/first-sign-in.tsx']);
  assert.deepEqual(listFirstSources(home), ['app/portal.tsx', 'frame.layout.tsx', 'home.page.tsx']);
});
