import './log-walk.test.ts'
