import './hostile-values.test.ts'
