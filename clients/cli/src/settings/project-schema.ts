import { z } from 'zod';
import { PROJECT_SETTINGS } from './project-settings.js';

/** The JSON Schema of pierhead.json, for editors. */
export const projectSchema = (): object => ({
  ...z.toJSONSchema(PROJECT_SETTINGS, { target: 'draft-7' }),
  title: 'pierhead.json',
});
