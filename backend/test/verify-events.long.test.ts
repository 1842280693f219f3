import './verify-events.test.ts'
