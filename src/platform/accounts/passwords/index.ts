/** What others need of passwords: the rule, its field, the hash of one, and which instances log in by one. */
export { NewPasswordField } from './password-fields.js';
export { NeedsPasswordLogin } from './password-login.guard.js';
export { PASSWORD_MAX, PASSWORD_MIN } from './password-rule.js';
