import './form-memory.test.ts'
