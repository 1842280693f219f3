export { forgetPerson, ofSession, onGoodbye, onTurn, sessionSignal, stateOfSession, turnSession } from './scope.ts'
export * from './store.ts'
export * from './theme.ts'
export { accessToken, keepPerson, keepToken, onPersonElsewhere, onTokenElsewhere } from './token.ts'
