"""Counts recordings with mcp-trace in the partitions of an Apache Spark data set: spark.py PROGRAM FOLDER PARTS FILE…

Every partition pipes the names of its files to one process, which writes what it has counted as one line. `mcp-trace stats
--merge` makes one report of the lines, in whatever order they come.
"""

import sys

from pyspark import SparkFiles
from pyspark.sql import SparkSession

program, folder, parts, *files = sys.argv[1:]
spark = SparkSession.builder.appName("mcp-trace").getOrCreate()
context = spark.sparkContext
context.setLogLevel("ERROR")
# Sends the program to every worker. The files have to lie where each of them can read them.
context.addFile(program)
name = program.rsplit("/", 1)[-1]
count = f"{SparkFiles.get(name)} stats --files-from - --format json"
# The exit code 2 says that an input was not read whole. The figures say it as well, so it need not end the job.
context.parallelize(files, int(parts)).pipe(count).saveAsTextFile(folder)
spark.stop()
