import { describe, expect, it } from 'vitest';
import { parseSupportAddress } from './support-address.js';

describe('a support address', () => {
  it.each([
    ['help@owl.example', 'mailto:help@owl.example', 'help@owl.example'],
    ["o'neil+shop?x=1@owl.example", "mailto:o'neil%2Bshop%3Fx%3D1@owl.example", "o'neil+shop?x=1@owl.example"],
    ['https://owl.example', 'https://owl.example/', 'owl.example'],
    ['HTTPS://Owl.Example:8443/help?to=me', 'https://owl.example:8443/help?to=me', 'owl.example:8443/help?to=me'],
    // Cyrillic letters are shown as what they are.
    [
      'https://оwl.example/"><script>',
      'https://xn--wl-emc.example/%22%3E%3Cscript%3E',
      'xn--wl-emc.example/%22%3E%3Cscript%3E',
    ],
  ])('%s leads to %s', (text, href, label) => expect(parseSupportAddress(text)).toEqual({ href, label }));

  it.each([
    'javascript:alert(1)',
    'http://owl.example',
    'https://',
    'https://user:secret@owl.example',
    'https://user@owl.example',
    'https:\\\\owl.example',
    'https://owl.example/a b',
    'https://owl.example\n.evil.example',
    'data:text/html,x',
    '//owl.example',
    'help@',
    'help\u202e@owl.example',
    'owl.example',
  ])('is not %j', (text) => expect(parseSupportAddress(text)).toBeNull());
});
