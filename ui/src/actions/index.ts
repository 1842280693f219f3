export * from './register.ts'
export { restLetters, restWhileTyping } from './rest.ts'
export * from './shortcuts.ts'
