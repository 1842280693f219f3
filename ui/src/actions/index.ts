export { hasKeyboard, holdLetters, isHeldPlace, useHeldLetters } from './hold.ts'
export * from './register.ts'
export { insertText, lettersRest, restLetters, restWhileTyping } from './rest.ts'
export * from './shortcuts.ts'
