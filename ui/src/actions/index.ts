export * from './register.ts'
export { restLetters } from './rest.ts'
export * from './shortcuts.ts'
