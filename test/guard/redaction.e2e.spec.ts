import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PROCESSOR_IDS,
  Processors,
  redact,
  redactText,
  startWorld,
  STORE_IDS,
  Stores,
  type World,
} from '../support/app.js';
import { SAMPLES, type ProviderId } from './secret-samples.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe.each<ProviderId>([...STORE_IDS, ...PROCESSOR_IDS])('the secrets of %s', (id) => {
  const cases = Object.entries(SAMPLES[id]).map(([field, sample]) => [field, sample] as const);

  it('are all among the samples', () => {
    const providers = [...world.app.get(Stores).all, ...world.app.get(Processors).all];
    const fields = providers.find((one) => one.id === id)?.credentialShape.forms.flat() ?? [];
    const secrets = fields.filter(({ isSecret }) => isSecret).map(({ name }) => name);
    expect(Object.keys(SAMPLES[id]).toSorted()).toEqual([...new Set(secrets)].toSorted());
  });

  it.each(cases)('are redacted under the name %s, in values, JSON and forms', (field, { secret }) => {
    const name = field.split('.').at(-1) ?? '';
    const nested = field.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), secret);
    const form = new URLSearchParams({ [name]: secret }).toString();
    for (const shown of [JSON.stringify(redact(nested)), redactText(JSON.stringify(nested)), redactText(form)]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(shown).not.toContain(encodeURIComponent(secret));
    }
  });

  it('are redacted without a name where they can be recognized', () => {
    for (const { secret } of Object.values(SAMPLES[id]).filter(({ hasLooks }) => hasLooks)) {
      const shown = redactText(`The request with ${secret} was refused.`);
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(secret);
    }
  });
});
