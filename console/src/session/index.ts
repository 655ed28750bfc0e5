export {
  beginSession,
  logOut,
  resumeSession,
  SessionProvider,
  switchTenant,
  useSession,
  type Permission,
} from './session';
