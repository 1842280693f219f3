import './spans.test.ts'
