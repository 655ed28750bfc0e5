/** The password rule, its field, and the guard for instances that log in by password. */
export { NewPasswordField } from './password-fields.js';
export { NeedsPasswordLogin } from './password-login.guard.js';
export { PASSWORD_MAX, PASSWORD_MIN } from './password-rule.js';
