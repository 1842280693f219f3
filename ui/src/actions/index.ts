export { hasKeyboard, holdLetters, isHeldPlace, useHeldLetters } from './hold.ts'
export * from './register.ts'
export { areLettersPaused, insertText, pauseLetters, pauseLettersWhileTyping } from './rest.ts'
export * from './shortcuts.ts'
