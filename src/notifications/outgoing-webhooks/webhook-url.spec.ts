import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from './private-address.js';
import { urlFault } from './webhook-url.js';

const SERVICE = { isLocalService: false, allowsPrivate: false };
const LOCAL = { isLocalService: true, allowsPrivate: false };
const TRUSTING = { isLocalService: false, allowsPrivate: true };

describe('an address', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s is not public', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

describe("a webhook's URL", () => {
  it.each([
    ['https://hooks.example/a?b=c', SERVICE, null],
    ['https://8.8.8.8/', SERVICE, null],
    ['https://[2606:4700::1111]:8443/', SERVICE, null],
    ['nonsense', SERVICE, 'must be an absolute URL.'],
    ['/hooks', SERVICE, 'must be an absolute URL.'],
    ['http://hooks.example/', SERVICE, 'must begin with https://.'],
    ['http://127.0.0.1/', SERVICE, 'must begin with https://.'],
    ['file:///etc/passwd', LOCAL, 'must begin with https://.'],
    ['https://user:secret@hooks.example/', SERVICE, 'must contain neither a user name nor a fragment.'],
    ['https://hooks.example/#x', SERVICE, 'must contain neither a user name nor a fragment.'],
    ['https://127.0.0.1/', SERVICE, 'must point to a public address.'],
    ['https://127.1/', SERVICE, 'must point to a public address.'],
    ['https://2130706433/', SERVICE, 'must point to a public address.'],
    ['https://0x7f.0.0.1/', SERVICE, 'must point to a public address.'],
    ['https://017700000001/', SERVICE, 'must point to a public address.'],
    ['https://169.254.169.254/latest/meta-data/', SERVICE, 'must point to a public address.'],
    ['https://[::1]/', SERVICE, 'must point to a public address.'],
    ['https://[::ffff:10.0.0.1]/', SERVICE, 'must point to a public address.'],
    ['http://127.0.0.1:8080/', LOCAL, null],
    ['http://localhost:8080/', LOCAL, null],
    ['http://[::1]:8080/', LOCAL, null],
    ['https://10.0.0.1/', LOCAL, 'must point to a public address.'],
    ['http://10.0.0.1/', LOCAL, 'must begin with https://.'],
    ['https://10.0.0.1/', TRUSTING, null],
    ['http://10.0.0.1/', TRUSTING, 'must begin with https://.'],
  ])('%s under %j is refused with: %s', (url, rules, fault) => {
    expect(urlFault(url, rules)).toBe(fault);
  });
});
