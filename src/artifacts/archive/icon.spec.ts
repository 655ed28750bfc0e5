import { expect, it } from 'vitest';
import { iconCandidates } from './icon.js';

it.each([
  ['none', {}, []],
  ['its only icon', { icons: { 16: 'a.png' } }, ['a.png']],
  [
    'the smallest that is sharp, then larger and smaller ones',
    { icons: { 16: '16.png', 48: '48.png', 96: '96.png', 128: '128.png' } },
    ['96.png', '128.png', '48.png', '16.png'],
  ],
  ['the one of its button', { action: { default_icon: { 32: 'button.png' } } }, ['button.png']],
  ['a button with one file', { browser_action: { default_icon: 'button.svg' } }, ['button.svg']],
  [
    'its own before that of its button',
    { icons: { 16: 'own.png' }, action: { default_icon: { 64: 'button.png' } } },
    ['own.png', 'button.png'],
  ],
  ['a path from the root', { icons: { 64: '/img/a.png' } }, ['img/a.png']],
  ['nothing where the manifest has something else', { icons: ['a.png'], action: 7 }, []],
])('the icon of a package is %s', (_, manifest, expected) => {
  expect(iconCandidates(manifest)).toEqual(expected);
});
