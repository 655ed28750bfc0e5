export {
  beginSession,
  logOut,
  RAIL_EXTENSIONS,
  resumeSession,
  SessionProvider,
  switchTenant,
  useSession,
  type Permission,
} from './session';
