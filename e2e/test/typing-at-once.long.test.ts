import './typing-at-once.test.ts'
