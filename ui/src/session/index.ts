export {
  endSession,
  forgetPerson,
  getSessionSignal,
  keepPerSession,
  keepSessionState,
  onSessionEnd,
  onSignOut,
} from './scope.ts'
export * from './store.ts'
export * from './theme.ts'
export { getAccessToken, keepPerson, keepToken, onPersonChange, onTokenChange } from './token.ts'
export { useLineBack } from './use-line-back.ts'
