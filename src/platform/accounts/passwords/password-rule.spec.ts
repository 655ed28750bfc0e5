import { describe, expect, it } from 'vitest';
import { passwordFault } from './password-rule.js';

const known = {
  common: new Set(['password123', 'qwertyuiop']),
  own: ['ann.longname@author.example', 'Night Owl Studio'],
};

describe('a new password', () => {
  it.each(['password123', 'PassWord123', ' qwertyuiop ', 'ｑｗｅｒｔｙｕｉｏｐ'])(
    'is refused when it is common: %j',
    (password) => {
      expect(passwordFault(password, known)).toMatch(/commonest/);
    },
  );

  it.each(['ann.longname@author.example', 'Ann.Longname', 'night owl studio', ' Night Owl Studio '])(
    'is refused when anyone who knows the account would try it: %j',
    (password) => {
      expect(passwordFault(password, known)).toMatch(/your e-mail address/);
    },
  );

  it.each(['password123 and more', 'a long enough password', 'author.example', 'qwertyuio'])(
    'may contain what it must not be: %j',
    (password) => {
      expect(passwordFault(password, known)).toBeNull();
    },
  );
});
