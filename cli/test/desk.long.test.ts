import './desk.test.ts'
