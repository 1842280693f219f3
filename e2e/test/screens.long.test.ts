import './screens.test.ts'
