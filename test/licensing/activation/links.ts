import { partOf, type TakenMail } from '../../support/smtp-server.js';

/** The paths, with the code, to which the button of a mail leads. */
export const activationsIn = (mail: TakenMail | undefined): readonly string[] =>
  mail === undefined
    ? []
    : [...partOf(mail, 'text/plain').matchAll(/^https?:\/\/[^/\s]+(\/buyer\/activate\/\S+)$/gm)].map(
        ([, path = '']) => path,
      );
