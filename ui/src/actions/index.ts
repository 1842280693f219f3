export * from './register.ts'
export { holdLetters, insertText, lettersRest, restLetters, restWhileTyping } from './rest.ts'
export * from './shortcuts.ts'
