import './event-loop.test.ts'
