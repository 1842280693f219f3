import './here.test.ts'
