/** Ways in which a person begins a session: by password, by a link, through an OpenID provider or for the command line client; and the second factor. */
export { SignInModule } from './sign-in.module.js';
export { SecondFactorModule } from './second-factor/second-factor.module.js';
export { SecondFactorGuard } from './second-factor/second-factor.guard.js';
export { SecondFactorsService } from './second-factor/second-factors.service.js';
export { AuthService } from './auth.service.js';
export { LoginLinksService } from './login-links.service.js';
