export * from './store.ts'
export * from './theme.ts'
export { accessToken, keepToken, onTokenElsewhere } from './token.ts'
