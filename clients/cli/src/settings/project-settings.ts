import { z } from 'zod';
import { STORES } from '../stores.js';

const path = (description: string): z.ZodOptional<z.ZodString> => z.string().min(1).optional().describe(description);
const PACKAGE = z.string().min(1);
const reason = (description: string): z.ZodString => z.string().trim().min(1).describe(description);
const reasons = (description: string): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodString>> =>
  z.record(z.string(), reason('Why.')).optional().describe(description);

/** Members of pierhead.json. Flags win over them. Paths are relative to its folder. The JSON Schema is made from this. */
export const PROJECT_SETTINGS = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the meaning of these settings.'),
  extension: z.string().min(1).optional().describe('Name or id of the extension at the service.'),
  package: z
    .union([PACKAGE, z.strictObject(Object.fromEntries(STORES.map((store) => [store, PACKAGE.optional()])))])
    .optional()
    .describe(
      'The zip or folder to push. An object names one for each store, where builds differ; Edge takes that of Chrome. `*` and `{version}` name the newest.',
    ),
  ignoreFiles: z
    .array(z.string().min(1))
    .optional()
    .describe('Patterns of files to leave out of the package, in the syntax of web-ext.'),
  sources: path(
    'The archive or folder of the source code, for the reviewers of Firefox. `*` and `{version}` name the newest.',
  ),
  stores: z
    .array(z.enum(STORES))
    .min(1)
    .optional()
    .describe('The stores that a push is for. Without it, all that are enabled.'),
  target: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The id or item of the target that a push is for, where its store has several. Without `stores`, the push is for it alone.',
    ),
  notesFile: path(
    'A file with release notes for users, or a folder with one for each language: `de.md`, `pt-BR.md`, and `default.md` for all others; or the metadata of fastlane, such as `fastlane/metadata`.',
  ),
  reviewerNotesFile: path('A file with notes for the reviewers, such as how to try the extension.'),
  justifications: z
    .strictObject({
      singlePurpose: reason('The one purpose of the extension.').optional(),
      permissions: reasons('The reason for each permission of the manifest, optional ones included.'),
      hosts: reasons('The reason for each match pattern of the manifest; `*` is for all without one of their own.'),
      dataUses: reasons('What is collected, and why, by the kind of data, such as webHistory or location.'),
    })
    .optional()
    .describe(
      'What the privacy pages of Chrome and Edge ask. They have no API: Pierhead keeps the texts ready to copy.',
    ),
  build: z
    .strictObject({
      commands: z
        .array(z.string().min(1))
        .min(1)
        .describe('Commands that build the package from the sources, in order.'),
      output: z.string().min(1).describe('The zip or folder that they build.'),
    })
    .optional()
    .describe('How the sources build the package, for pierhead check-sources.'),
});
export type ProjectSettings = Readonly<z.infer<typeof PROJECT_SETTINGS>>;

/** Each fault with the place where it is. */
export const describeFaults = (error: z.ZodError): { field: string; message: string }[] =>
  error.issues.map(({ path: at, message }) => ({ field: at.join('.'), message }));
